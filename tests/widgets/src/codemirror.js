// CodeMirror: edit a script
import { startCompletion } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { getSearchQuery, openSearchPanel } from '@codemirror/search';
import { EditorView, placeholder } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import './_page.css';
import { holds, record, state } from './_record.js';

const told = (key) => EditorView.updateListener.of((update) => update.docChanged && record(key, update.state.doc.toString()));
const script = new EditorView({ parent: document.getElementById('script'), doc: 'const greet = (name) => {\n  return `Hello ${name}`;\n};\n\ngreet("Ada");\n', extensions: [basicSetup, javascript(), EditorView.contentAttributes.of({ 'aria-label': 'Script' }), told('script')] });
openSearchPanel(script);
const note = new EditorView({ parent: document.getElementById('note'), extensions: [placeholder('Write a note'), EditorView.contentAttributes.of({ 'aria-labelledby': 'note-label' }), told('note')] });
new EditorView({ parent: document.getElementById('fixed'), doc: 'read only', extensions: [EditorView.editable.of(false)] });
holds('script', () => script.state.doc.toString());
holds('search', () => getSearchQuery(script.state).search);
holds('note', () => note.state.doc.toString());
document.activeElement?.blur();

state('completion', () => { script.focus(); script.dispatch({ selection: { anchor: script.state.doc.length } }); startCompletion(script); });
