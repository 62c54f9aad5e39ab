// flatpickr: book a room
import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';
import './_page.css';
import { find, record, state } from './_record.js';

const told = (key) => (_dates, text) => record(key, text);
flatpickr('#arrival', { defaultDate: '2030-05-17', onChange: told('arrival') });
flatpickr('#meeting', { enableTime: true, defaultDate: '2030-05-17 10:30', altInput: true, altFormat: 'F j, Y H:i', onChange: told('meeting') });
flatpickr('#range', { mode: 'range', inline: true, defaultDate: ['2030-06-03', '2030-06-07'], onChange: told('range') });
flatpickr('#clock', { inline: true, enableTime: true, noCalendar: true, defaultDate: '09:15', onChange: told('clock') });
flatpickr('#wrapped', { wrap: true, onChange: told('wrapped') });
flatpickr('#weeks', { inline: true, weekNumbers: true, showMonths: 1, minDate: '2030-05-10', defaultDate: '2030-05-17', onChange: told('weeks') });

state('calendar', () => find('#arrival')._flatpickr.open());
state('calendar and clock', () => find('#meeting')._flatpickr.open());
