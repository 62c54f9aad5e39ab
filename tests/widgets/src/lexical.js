// Lexical: a diary
import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { $createParagraphNode, $createTextNode, $getRoot, createEditor, FORMAT_TEXT_COMMAND, REDO_COMMAND, UNDO_COMMAND } from 'lexical';
import './_page.css';
import { holds, record } from './_record.js';

const entry = document.getElementById('entry');
const editor = createEditor({ namespace: 'diary', onError: (error) => { throw error; } });
editor.setRootElement(entry);
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode('It rained.'))));
editor.registerTextContentListener((text) => record('entry', text));
holds('entry', () => editor.getEditorState().read(() => $getRoot().getTextContent()));
document.getElementById('bold').addEventListener('click', () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'bold'));
document.getElementById('italic').addEventListener('click', () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'italic'));
document.getElementById('undo').addEventListener('click', () => editor.dispatchCommand(UNDO_COMMAND));
document.getElementById('redo').addEventListener('click', () => editor.dispatchCommand(REDO_COMMAND));
