// The home page must stay light: so much compressed script, with the words of one language, before the first box is on
// the shelf.
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
const sizeOf = (key) => gzipSync(readFileSync(new URL(manifest[key].file, page)), { level: 9 }).length;
const words = ['en', 'it'].map((lang) => `../src/ludoteca/words/${lang}.json`);
collect(words.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]); // whoever reads the longer one

let total = 0;
for (const key of seen) {
  const size = sizeOf(key);
  total += size;
  console.log(`${String(size).padStart(7)}  ${manifest[key].file}`);
}
console.log(`${String(total).padStart(7)}  home page, compressed script (at most ${MOST})`);
if (total > MOST) {
  console.error('Too heavy: load what the home page does not need only when it is asked for.');
  process.exit(1);
}
