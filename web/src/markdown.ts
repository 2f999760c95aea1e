/**
 * Just enough Markdown for the rule pages: headings, paragraphs, lists, tables, quotes, code, emphasis and links. Everything is
 * escaped first, so a page can hold no markup of its own. Paragraphs of the rules can be linked to: a heading `## §2 Turns`
 * and a paragraph that begins with `**§2.3**` get the ids `§2` and `§2.3`, and every `§2.3` in the text is a link.
 */
export interface Page {
  title: string;
  html: string;
  /** The chapters: id and words. */
  contents: { id: string; title: string }[];
}

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

const NUMBER = /§\d+(?:\.\d+)*[a-z]?/;

function inline(text: string): string {
  const code: string[] = [];
  let out = escape(text).replace(
    /`([^`]+)`/g,
    (_, inside: string) => `\u0000${code.push(`<code>${inside}</code>`) - 1}\u0000`,
  );
  out = out
    .replace(/\[([^\]]+)\]\(((?:https?:\/\/|[/#.]|[\w-]+\.md)[^)\s]*)\)/g, (_, words: string, to: string) => {
      const away = /^https?:/.test(to);
      return `<a href="${to}"${away ? ' rel="noreferrer" target="_blank"' : ''}>${words}</a>`;
    })
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(«“])\*(?!\s)([^*]+?)\*(?=[\s).,;:!?»”]|$)/g, '$1<em>$2</em>')
    .replace(/(^|[\s(])_(?!\s)([^_]+?)_(?=[\s).,;:!?]|$)/g, '$1<em>$2</em>')
    .replace(/(?<!["#\w])§\d+(?:\.\d+)*[a-z]?/g, (id) => `<a class="ref" href="#${id}">${id}</a>`);
  return out.replace(/\u0000(\d+)\u0000/g, (_, i: string) => code[Number(i)]!);
}

const cells = (row: string) =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((c) => c.trim().replaceAll('\\|', '|'));

export function render(source: string): Page {
  const lines = source
    .replace(/\r/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n');
  const html: string[] = [];
  const contents: Page['contents'] = [];
  let title = '';
  let i = 0;

  const isList = (line: string) => /^\s*([-*]|\d+[.)])\s+/.test(line);
  const isBlock = (line: string) => /^(#{1,6}\s|\||>|```|---+\s*$)/.test(line) || isList(line);

  /** A list and what is nested in it, from the line at `i`. */
  function listAt(indent: number): string {
    const ordered = /^\s*\d/.test(lines[i]!);
    const items: string[] = [];
    while (i < lines.length) {
      const found = /^(\s*)([-*]|\d+[.)])\s+(.*)$/.exec(lines[i]!);
      if (!found || found[1]!.length < indent) break;
      if (found[1]!.length <= indent + 1 && /\d/.test(found[2]!) !== ordered) break;
      if (found[1]!.length > indent + 1) {
        items[items.length - 1] += listAt(found[1]!.length);
        continue;
      }
      i++;
      let text = found[3]!;
      while (i < lines.length && lines[i]!.trim() && !isList(lines[i]!) && /^\s+/.test(lines[i]!))
        text += ` ${lines[i++]!.trim()}`;
      items.push(numbered('li', text));
      if (!lines[i]?.trim() && isList(lines[i + 1] ?? '')) i++;
    }
    const tag = ordered ? 'ol' : 'ul';
    return `<${tag}>${items.map((item) => `${item}</li>`).join('')}</${tag}>`;
  }

  /** Opens a paragraph or item; one that begins with its number gets it as a name and a link. */
  function numbered(tag: 'p' | 'li', text: string): string {
    const found = /^\*\*(§\d+(?:\.\d+)*[a-z]?)\.?\*\*\.?\s*/.exec(text);
    if (!found) return `<${tag}>${inline(text)}`;
    const id = found[1]!;
    const rest = inline(text.slice(found[0].length));
    return `<${tag} class="rule" id="${id}"><a class="rule__no" href="#${id}">${id}</a> <span>${rest}</span>`;
  }

  while (i < lines.length) {
    const line = lines[i]!;
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (!line.trim()) i++;
    else if (heading) {
      const words = heading[2]!;
      const level = heading[1]!.length;
      i++;
      if (level === 1 && !title) {
        title = words.replace(/[*_`]/g, '');
        continue;
      }
      const number = NUMBER.exec(words);
      const id =
        number && words.startsWith(number[0])
          ? number[0]
          : words
              .toLowerCase()
              .replace(/[^\p{L}\p{N}]+/gu, '-')
              .replace(/^-|-$/g, '');
      if (level === 2) contents.push({ id, title: words.replace(/[*_`]/g, '') });
      const inside =
        number && words.startsWith(number[0])
          ? `<span class="rule__no">${number[0]}</span> ${inline(words.slice(number[0].length).trim())}`
          : inline(words);
      const tag = `h${Math.min(6, Math.max(2, level))}`;
      html.push(`<${tag} id="${escape(id)}">${inside}</${tag}>`);
    } else if (line.startsWith('```')) {
      const body: string[] = [];
      for (i++; i < lines.length && !lines[i]!.startsWith('```'); i++) body.push(lines[i]!);
      i++;
      html.push(`<pre><code>${escape(body.join('\n'))}</code></pre>`);
    } else if (/^---+\s*$/.test(line)) {
      i++;
      html.push('<hr>');
    } else if (line.startsWith('>')) {
      const body: string[] = [];
      while (i < lines.length && lines[i]!.startsWith('>')) body.push(lines[i++]!.replace(/^>\s?/, ''));
      html.push(`<blockquote><p>${inline(body.join(' '))}</p></blockquote>`);
    } else if (line.startsWith('|') && /^\|?\s*:?-+/.test(lines[i + 1] ?? '')) {
      const head = cells(line);
      const align = cells(lines[i + 1]!).map((c) => (/^:?-+:$/.test(c) ? (c.startsWith(':') ? 'mid' : 'end') : ''));
      const cls = (n: number) => (align[n] ? ` class="${align[n]}"` : '');
      i += 2;
      const rows: string[] = [];
      while (i < lines.length && lines[i]!.startsWith('|'))
        rows.push(
          `<tr>${cells(lines[i++]!)
            .map((c, n) => `<td${cls(n)}>${inline(c)}</td>`)
            .join('')}</tr>`,
        );
      const titles = head.map((c, n) => `<th scope="col"${cls(n)}>${inline(c)}</th>`);
      html.push(
        `<div class="scroll" tabindex="0"><table><thead><tr>${titles.join('')}</tr></thead>` +
          `<tbody>${rows.join('')}</tbody></table></div>`,
      );
    } else if (isList(line)) html.push(listAt(/^\s*/.exec(line)![0].length));
    else {
      let text = line.trim();
      for (i++; i < lines.length && lines[i]!.trim() && !isBlock(lines[i]!); i++) text += ` ${lines[i]!.trim()}`;
      html.push(`${numbered('p', text)}</p>`);
    }
  }
  return { title, html: html.join('\n'), contents };
}
