import { describe, expect, test } from 'vitest';
import { linkHere } from '@/pages/linkHere';

const HERE = 'https://games.example:8443';

describe('a link that somebody has sent', () => {
  test.each([
    [`${HERE}/table/wren?invite=abc`, '/table/wren?invite=abc'],
    [`  games.example:8443/table/wren?invite=abc\n`, '/table/wren?invite=abc'],
    ['/table/wren', '/table/wren'],
    [`${HERE}/friend#code`, '/friend#code'],
  ])('leads into the house: %s', (link, path) => expect(linkHere(link, HERE)).toBe(path));

  test.each(['', 'wren', HERE, 'https://elsewhere.example/table/wren', 'javascript:alert(1)', 'https://', '/%'])(
    'leads nowhere: %s',
    (link) => expect(linkHere(link, HERE)).toBeNull(),
  );
});
