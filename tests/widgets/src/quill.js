// Quill: write a letter
import Quill from 'quill';
import 'quill/dist/quill.snow.css';
import 'quill/dist/quill.bubble.css';
import './_page.css';
import { holds, press, record, state } from './_record.js';

const letter = new Quill('#letter', {
  theme: 'snow',
  placeholder: 'Dear …',
  modules: { toolbar: [[{ header: [1, 2, false] }, { font: [] }], ['bold', 'italic', 'link'], [{ list: 'ordered' }, { list: 'bullet' }], [{ color: [] }, { align: [] }], ['image', 'clean']] },
});
letter.on('text-change', () => record('letter', letter.getText()));
const note = new Quill('#note', { theme: 'bubble' });
note.root.setAttribute('aria-label', 'Note');
holds('letter', () => letter.getText());
holds('note', () => note.getText());
note.on('text-change', () => record('note', note.getText()));

state('headers', '.ql-header .ql-picker-label');
state('colours', '.ql-color .ql-picker-label');
state('link', () => { letter.setText('Ada'); letter.setSelection(0, 3); press('.ql-link'); });
