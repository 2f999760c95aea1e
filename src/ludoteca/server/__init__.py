"""The table where people play: lobby, referee, store and sockets. There are no rules of any game in here."""
