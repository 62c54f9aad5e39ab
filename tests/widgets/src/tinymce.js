// TinyMCE: a blog post
import tinymce from 'tinymce';
import 'tinymce/icons/default';
import 'tinymce/models/dom';
import 'tinymce/themes/silver';
import 'tinymce/plugins/link';
import 'tinymce/plugins/lists';
import 'tinymce/plugins/searchreplace';
import 'tinymce/plugins/table';
import 'tinymce/skins/content/default/content.js';
import 'tinymce/skins/ui/oxide/content.js';
import 'tinymce/skins/ui/oxide/skin.css';
import './_page.css';
import { awaits, holds, record, state } from './_record.js';

const shared = { license_key: 'gpl', promotion: false, skin: false, content_css: 'default', plugins: 'link lists searchreplace table' };
const told = (key) => (editor) => editor.on('input change', () => record(key, editor.getContent({ format: 'text' })));
awaits(tinymce.init({ ...shared, selector: '#post', height: 300, toolbar: 'undo redo | blocks fontsize | bold italic forecolor | bullist numlist | link table', setup: told('post') }));
awaits(tinymce.init({ ...shared, selector: '#intro', inline: true, menubar: false, toolbar: 'bold italic', setup: told('intro') }));

holds('post', () => tinymce.get('post').getContent({ format: 'text' }));
holds('post markup', () => tinymce.get('post').getContent());
holds('introduction', () => tinymce.get('intro').getContent({ format: 'text' }));
holds('heading', () => document.getElementById('heading').value);

state('menu', '[role=menubar] [role=menuitem]');
state('blocks', '[aria-label^="Block"]');
state('link', () => tinymce.get('post').execCommand('mceLink'));
state('search', () => tinymce.get('post').execCommand('SearchReplace'));
state('introduction', () => tinymce.get('intro').focus());
