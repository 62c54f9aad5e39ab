// noUiSlider: filter flats
import noUiSlider from 'nouislider';
import 'nouislider/dist/nouislider.css';
import './_page.css';
import { find, holds, record } from './_record.js';

const slider = (id, options) => {
  noUiSlider.create(find(`#${id}`), options);
  find(`#${id}`).noUiSlider.on('change', (values) => record(id, values));
  holds(id, () => [find(`#${id}`).noUiSlider.get(true)].flat().map((value) => Math.round(value)));
};
slider('rent', { start: 800, step: 10, range: { min: 200, max: 3000 }, handleAttributes: [{ 'aria-label': 'Highest rent' }] });
slider('area', { start: [40, 90], step: 1, connect: true, range: { min: 10, max: 200 }, handleAttributes: [{ 'aria-label': 'Smallest area' }, { 'aria-label': 'Largest area' }] });
slider('floor', { start: 2, step: 1, orientation: 'vertical', range: { min: 0, max: 12 }, handleAttributes: [{ 'aria-label': 'Floor' }] });
slider('energy', { start: 1, step: 1, range: { min: 0, max: 3 }, format: { to: (value) => ['Poor', 'Fair', 'Good', 'Best'][Math.round(value)], from: (text) => Number.isNaN(Number(text)) ? ['Poor', 'Fair', 'Good', 'Best'].indexOf(text) : Number(text) }, handleAttributes: [{ 'aria-label': 'Energy' }] });
