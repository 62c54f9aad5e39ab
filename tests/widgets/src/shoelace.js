// Shoelace: team settings
import '@shoelace-style/shoelace/dist/themes/light.css';
import './_page.css';
import { registerIconLibrary } from '@shoelace-style/shoelace/dist/utilities/icon-library.js';
import '@shoelace-style/shoelace/dist/components/alert/alert.js';
import '@shoelace-style/shoelace/dist/components/badge/badge.js';
import '@shoelace-style/shoelace/dist/components/breadcrumb/breadcrumb.js';
import '@shoelace-style/shoelace/dist/components/breadcrumb-item/breadcrumb-item.js';
import '@shoelace-style/shoelace/dist/components/button/button.js';
import '@shoelace-style/shoelace/dist/components/button-group/button-group.js';
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js';
import '@shoelace-style/shoelace/dist/components/color-picker/color-picker.js';
import '@shoelace-style/shoelace/dist/components/details/details.js';
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js';
import '@shoelace-style/shoelace/dist/components/divider/divider.js';
import '@shoelace-style/shoelace/dist/components/dropdown/dropdown.js';
import '@shoelace-style/shoelace/dist/components/icon/icon.js';
import '@shoelace-style/shoelace/dist/components/icon-button/icon-button.js';
import '@shoelace-style/shoelace/dist/components/input/input.js';
import '@shoelace-style/shoelace/dist/components/menu/menu.js';
import '@shoelace-style/shoelace/dist/components/menu-item/menu-item.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import '@shoelace-style/shoelace/dist/components/progress-bar/progress-bar.js';
import '@shoelace-style/shoelace/dist/components/radio/radio.js';
import '@shoelace-style/shoelace/dist/components/radio-button/radio-button.js';
import '@shoelace-style/shoelace/dist/components/radio-group/radio-group.js';
import '@shoelace-style/shoelace/dist/components/range/range.js';
import '@shoelace-style/shoelace/dist/components/rating/rating.js';
import '@shoelace-style/shoelace/dist/components/select/select.js';
import '@shoelace-style/shoelace/dist/components/split-panel/split-panel.js';
import '@shoelace-style/shoelace/dist/components/switch/switch.js';
import '@shoelace-style/shoelace/dist/components/tab/tab.js';
import '@shoelace-style/shoelace/dist/components/tab-group/tab-group.js';
import '@shoelace-style/shoelace/dist/components/tab-panel/tab-panel.js';
import '@shoelace-style/shoelace/dist/components/tag/tag.js';
import '@shoelace-style/shoelace/dist/components/textarea/textarea.js';
import '@shoelace-style/shoelace/dist/components/tooltip/tooltip.js';
import '@shoelace-style/shoelace/dist/components/tree/tree.js';
import '@shoelace-style/shoelace/dist/components/tree-item/tree-item.js';
import { count, record, state } from './_record.js';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" y="2" width="12" height="12"/></svg>';
registerIconLibrary('default', { resolver: () => `data:image/svg+xml,${encodeURIComponent(drawing)}` });

for (const el of document.querySelectorAll('sl-input,sl-textarea,sl-select,sl-range,sl-radio-group,sl-rating,sl-color-picker')) {
  el.addEventListener('sl-change', () => record(el.id, el.value));
}
for (const el of document.querySelectorAll('sl-checkbox,sl-switch')) el.addEventListener('sl-change', () => record(el.id, el.checked));
for (const el of document.querySelectorAll('sl-button[id],sl-icon-button[id]')) el.addEventListener('click', () => count(el.id));
document.addEventListener('sl-select', (event) => record('menu', event.detail.item.value));
document.addEventListener('sl-selection-change', (event) => record('tree', event.detail.selection.map((item) => item.textContent.trim())));
document.addEventListener('sl-tab-show', (event) => record('tab', event.detail.name));
document.querySelector('#open').addEventListener('click', () => document.querySelector('sl-dialog').show());
document.querySelector('#close').addEventListener('click', () => document.querySelector('sl-dialog').hide());

state('dialog', '#open');
state('menu', 'sl-dropdown sl-button');
state('select', () => document.querySelector('#country').show());
state('colours', () => document.querySelector('#colour').shadowRoot.querySelector('sl-dropdown').show());
state('members', 'sl-tab[panel=members]');
