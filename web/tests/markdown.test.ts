import { expect, test } from 'vitest';
import { render } from '@/markdown';

test('a chapter and its paragraphs have names to link to', () => {
  const page = render('# Splendor\n\n## §2 Turns\n\n**§2.3** Take *three* gems (see §2.1).\n');
  expect(page.title).toBe('Splendor');
  expect(page.contents).toEqual([{ id: '§2', title: '§2 Turns' }]);
  expect(page.html).toContain('<h2 id="§2">');
  expect(page.html).toContain('<p class="rule" id="§2.3"><a class="rule__no" href="#§2.3">§2.3</a>');
  expect(page.html).toContain('<em>three</em>');
  expect(page.html).toContain('<a class="ref" href="#§2.1">§2.1</a>');
});

test('markup in the text stays text', () => {
  const { html } = render('A <script>alert(1)</script> and [x](javascript:alert) and `a < b`.');
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('href="javascript');
  expect(html).toContain('<code>a &lt; b</code>');
});

test('lists, also nested, and tables', () => {
  const { html } = render('- one\n  - inner\n- two\n\n1. first\n2. second\n\n| a | n |\n|---|--:|\n| x | 2 |\n');
  expect(html).toContain('<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>');
  expect(html).toContain('<ol><li>first</li><li>second</li></ol>');
  expect(html).toContain('<th scope="col" class="end">n</th>');
  expect(html).toContain('<td class="end">2</td>');
});

test('wrapped lines are one paragraph', () => {
  expect(render('one\ntwo\n\nthree').html).toBe('<p>one two</p>\n<p>three</p>');
});
