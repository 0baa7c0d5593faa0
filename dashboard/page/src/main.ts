import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import './tokens.css';
import { keys } from './lib/keys.ts';

addEventListener('keydown', (event) => keys.handle(event));
const target = document.getElementById('app');
if (target) {
  mount(App, { target });
}
