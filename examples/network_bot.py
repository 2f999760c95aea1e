"""A bot that plays over the network like anybody else: python examples/network_bot.py http://localhost:8000 TABLE TOKEN

The token is the secret of a guest (the value of the `ludoteca` cookie). The bot takes a free chair and plays until the end.
"""

import asyncio
import json
import random
import sys
import urllib.request
import uuid

import websockets


async def play(house: str, table: str, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{house}/api/tables/{table}/sit", b"{}", headers))
    address = f"{house.replace('http', 'ws', 1)}/api/tables/{table}/socket?since=0"
    async with websockets.connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        async for message in socket:
            news = json.loads(message)
            if news["type"] == "update" and news["choices"]:
                chosen = random.choice(news["choices"])  # your idea here: news["view"] is all that your seat may see
                order = {"type": "do", "id": uuid.uuid4().hex, "action": chosen["action"], "at": news["seq"]}
                await socket.send(json.dumps(order))
            if news["type"] == "refused" and news["key"] == "too_fast":  # a breath, then the same again
                await asyncio.sleep(1)
                await socket.send(json.dumps(order))
            if news["type"] == "update" and news.get("result"):
                return print("ranks", news["result"]["ranks"])


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
