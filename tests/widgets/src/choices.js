// Choices.js: write a post
import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';
import './_page.css';
import { find, holds, record, state } from './_record.js';

/** @type {Record<string, Choices>} */
const all = {};
for (const [id, options] of Object.entries({ category: {}, topics: { removeItemButton: true }, audience: { searchEnabled: false } })) {
  all[id] = new Choices(find(`#${id}`), { ...options, shouldSort: false, labelId: '' });
  find(`#${id}`).addEventListener('change', () => record(id, all[id].getValue(true)));
  holds(id, () => all[id].getValue(true));
}
state('categories', () => all.category.showDropdown());
state('topics', () => all.topics.showDropdown());
