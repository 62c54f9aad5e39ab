// Monaco: a settings file
import * as monaco from 'monaco-editor/editor/editor.api.js';
import './_page.css';
import { holds, record } from './_record.js';

const editor = monaco.editor.create(document.getElementById('settings'), { value: '{\n  "colour": "blue",\n  "size": 3\n}\n', language: 'plaintext', ariaLabel: 'Settings', minimap: { enabled: false } });
holds('settings', () => editor.getValue());
editor.onDidChangeModelContent(() => record('settings', editor.getValue()));
