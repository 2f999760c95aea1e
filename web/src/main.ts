import { mount } from 'svelte';
import './styles/tokens.css';
import './styles/components.css';
import './styles/kit.css';
import './styles/forced.css';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });
