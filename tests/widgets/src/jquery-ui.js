// jQuery UI: a garden shop
import $ from './_jquery.js';
import 'jquery-ui/dist/jquery-ui.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
import './_page.css';
import { count, record, state } from './_record.js';

$('#kind').autocomplete({ source: ['Apple', 'Pear', 'Plum'], select: (_, { item }) => record('kind', item.value) });
$('#delivery').datepicker({ defaultDate: '05/17/2030', onSelect: (text) => record('delivery', text), showOn: 'both', buttonText: 'Choose a day' });
$('#calendar').datepicker({ defaultDate: '05/17/2030', changeMonth: true, changeYear: true, onSelect: (text) => record('calendar', text) });
$('#amount').spinner({ min: 1, max: 9, change: (event) => record('amount', event.target.value) });
$('#height').slider({ value: 40, change: (_, { value }) => record('height', value) });
$('#price').slider({ range: true, values: [20, 80], change: (_, { values }) => record('price', values) });
$('#size').selectmenu({ change: (_, { item }) => record('size', item.value) });
$('#tabs').tabs({ activate: (_, { newTab }) => record('tab', newTab.text().trim()) });
$('#questions').accordion({ activate: (_, { newHeader }) => record('question', newHeader.text()) });
$('#menu').menu({ select: (_, { item }) => record('menu', item.children('div').text()) });
$('.tick').checkboxradio().on('change', (event) => record(event.target.id, event.target.checked));
$('#order,#basket').button().on('click', (event) => count(event.target.id));
$('#help').button({ icon: 'ui-icon-help', showLabel: false });
$('.group').controlgroup();
$('#stage').progressbar({ value: 30 });
$('#dialog').dialog({ autoOpen: false, modal: true, buttons: { Fine: () => $('#dialog').dialog('close') } });
$('#open').button().on('click', () => $('#dialog').dialog('open'));
$('#note').dialog({ title: 'Closed on Monday', position: { my: 'right top', at: 'right-20 top+20', of: window }, width: 260, buttons: { 'Got it': () => record('note', 'seen') } });
$('#plants').selectable({ selected: (_, { selected }) => record('plant', selected.textContent) });
$('#beds').sortable({ update: () => record('beds', $('#beds').sortable('toArray')) });
$(document).tooltip();

state('dialog', '#open');
state('autocomplete', () => $('#kind').autocomplete('search', 'p'));
state('calendar', () => $('#delivery').datepicker('show'));
state('select', () => $('#size').selectmenu('open'));
state('second tab', () => $('#tabs').tabs('option', 'active', 1));
