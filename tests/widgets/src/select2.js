// Select2: tag an article
import $ from './_jquery.js';
import select2 from 'select2/dist/js/select2.full.js';
import 'select2/dist/css/select2.css';
import './_page.css';
import { record, state } from './_record.js';

select2(window, $);
const told = (event) => record(event.target.id, $(event.target).val());
$('#section').select2().on('change', told);
$('#author').select2({ placeholder: 'Choose an author', allowClear: true }).on('change', told);
$('#tags').select2({ tags: true }).on('change', told);
$('#state').select2({ minimumResultsForSearch: Infinity }).on('change', told);
$('#locked').select2({ disabled: true });
$('#place').select2().on('change', told).select2('open');

const open = (id) => () => { $('#place').select2('close'); $(id).select2('open'); };
state('sections', open('#section'));
state('tags', open('#tags'));
state('states', open('#state'));
