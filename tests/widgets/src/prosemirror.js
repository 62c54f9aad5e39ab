// ProseMirror: meeting minutes
import { exampleSetup } from 'prosemirror-example-setup';
import 'prosemirror-example-setup/style/style.css';
import 'prosemirror-menu/style/menu.css';
import { DOMParser, Schema } from 'prosemirror-model';
import { schema } from 'prosemirror-schema-basic';
import { addListNodes } from 'prosemirror-schema-list';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import './_page.css';
import { holds, record, state } from './_record.js';

const mine = new Schema({ nodes: addListNodes(schema.spec.nodes, 'paragraph block*', 'block'), marks: schema.spec.marks });
const content = document.getElementById('content');
const view = new EditorView(document.getElementById('editor'), {
  state: EditorState.create({ doc: DOMParser.fromSchema(mine).parse(content), plugins: exampleSetup({ schema: mine }) }),
  dispatchTransaction(transaction) {
    view.updateState(view.state.apply(transaction));
    if (transaction.docChanged) record('minutes', view.state.doc.textContent);
  },
});
content.remove();
holds('minutes', () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n'));
holds('nodes', () => { view.state.doc.check(); return view.state.doc.toString(); });

state('insert', '.ProseMirror-menu-dropdown');
