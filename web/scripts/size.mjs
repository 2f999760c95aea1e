// The home page must stay light: so much compressed script, with the words of both languages, before the first box is
// on the shelf.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const MOST = 72_000;
const page = new URL('../../src/ludoteca/page/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', page), 'utf8'));

const seen = new Set();
function collect(key) {
  if (seen.has(key)) return;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) collect(next);
}
collect('index.html');

let total = 0;
for (const key of seen) {
  const file = manifest[key].file;
  const size = gzipSync(readFileSync(new URL(file, page)), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(7)}  ${file}`);
}
console.log(`${String(total).padStart(7)}  home page, compressed script (at most ${MOST})`);
if (total > MOST) {
  console.error('Too heavy: load what the home page does not need only when it is asked for.');
  process.exit(1);
}
