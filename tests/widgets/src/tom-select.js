// Tom Select: plan a meeting
import TomSelect from 'tom-select';
import 'tom-select/dist/css/tom-select.css';
import './_page.css';
import { find, holds, record, state } from './_record.js';

/** @type {Record<string, TomSelect>} */
const all = {};
const places = ['Lyon', 'Nice', 'Lille'].map((word) => ({ value: word, text: word }));
for (const [id, options] of Object.entries({ room: {}, guests: { plugins: ['remove_button'] }, place: { options: places, maxItems: 1, create: true } })) {
  all[id] = new TomSelect(find(`#${id}`), options);
  all[id].on('change', (/** @type {unknown} */ value) => record(id, value));
  holds(id, () => all[id].getValue());
}
state('rooms', () => all.room.open());
state('guests', () => all.guests.open());
