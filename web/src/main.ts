import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/components.css';
import './styles/kit.css';
import './styles/forced.css';
import App from './App.svelte';
import { prefs } from './state/prefs.svelte';
import { loadWords } from './state/words.svelte';

// The words of one language come with the page; those of the other when somebody asks for them.
const target = document.getElementById('app')!;
loadWords(prefs.lang).then(
  () => mount(App, { target }),
  () => (target.innerHTML = '<p class="box"><a href="">Ludoteca ↻</a></p>'), // no words to say it with
);

// What is there when the page is not: an offline page, and notices. After everything else, and only where it is allowed.
if ('serviceWorker' in navigator && import.meta.env.PROD)
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {}));
