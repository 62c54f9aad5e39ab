// Material Web: plan a trip
import './_page.css';
import '@material/web/all.js';
import '@material/web/labs/card/outlined-card.js';
import '@material/web/labs/segmentedbutton/outlined-segmented-button.js';
import '@material/web/labs/segmentedbuttonset/outlined-segmented-button-set.js';
import { count, record, state } from './_record.js';

for (const el of document.querySelectorAll('md-outlined-text-field,md-filled-text-field,md-outlined-select,md-filled-select,md-slider')) {
  el.addEventListener('change', () => record(el.id, el.value));
}
for (const el of document.querySelectorAll('md-checkbox,md-radio')) el.addEventListener('change', () => record(el.id, el.checked));
for (const el of document.querySelectorAll('md-switch')) el.addEventListener('change', () => record(el.id, el.selected));
for (const el of document.querySelectorAll('[id].press')) el.addEventListener('click', () => count(el.id));
document.querySelector('md-tabs').addEventListener('change', (event) => record('tab', event.target.activeTabIndex));
document.querySelector('md-menu').addEventListener('close-menu', (event) => record('menu', event.detail.initiator.typeaheadText));
document.querySelector('#sort').addEventListener('click', () => {
  const menu = document.querySelector('md-menu');
  menu.open = !menu.open;
});
document.querySelector('#open').addEventListener('click', () => document.querySelector('md-dialog').show());

state('dialog', '#open');
state('menu', '#sort');
state('select', '#fare >>> .field');
