import { expect, test } from 'vitest';
import challengers from '@/games/challengers';
import { onlyMove } from '@/table/forced';

const pass = { action: 7, kind: 'pass' };
const decline = { action: 9, kind: 'decline' };

test('what can only be one thing is played', () => {
  expect(onlyMove({}, [pass])).toBe(pass);
  expect(onlyMove({}, [pass, decline])).toBeNull();
  expect(onlyMove({}, [])).toBeNull();
});

test('a game keeps asking where the speed of an answer would tell a secret', () => {
  const asks = { keepsAsking: (choice: { kind: string }) => choice.kind === 'decline' };
  expect(onlyMove(asks, [decline])).toBeNull();
  expect(onlyMove(asks, [pass])).toBe(pass);
});

test('Challengers! asks everybody about an exchange, whether or not there is a card to give', () => {
  expect(onlyMove(challengers as never, [decline])).toBeNull();
  expect(onlyMove(challengers as never, [{ action: 1, kind: 'enough' }])).not.toBeNull();
});
