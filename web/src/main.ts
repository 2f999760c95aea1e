import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/components.css';
import './styles/kit.css';
import './styles/forced.css';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });

// What is there when the page is not: an offline page, and notices. After everything else, and only where it is allowed.
if ('serviceWorker' in navigator && import.meta.env.PROD)
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => {}));
