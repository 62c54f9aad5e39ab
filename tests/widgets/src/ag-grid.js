// AG Grid: warehouse
import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community';
import './_page.css';
import { awaits, find, record, state } from './_record.js';

ModuleRegistry.registerModules([AllCommunityModule]);
const rows = ['Lamp', 'Chair', 'Table', 'Shelf', 'Carpet', 'Mirror'].map((article, at) => ({ article, stock: 7 * at + 3, sold: at % 2 === 0, since: `2030-0${at + 1}-15`, colour: at % 2 ? 'red' : 'blue' }));
const grid = (id, options) => awaits(new Promise((done) => createGrid(document.getElementById(id), { ...options, onFirstDataRendered: () => done(0) })));

grid('stock', {
  rowData: rows,
  rowSelection: { mode: 'multiRow' },
  pagination: true,
  paginationPageSize: 5,
  paginationPageSizeSelector: [5, 10],
  defaultColDef: { filter: true, floatingFilter: true, sortable: true, editable: true },
  columnDefs: [
    { field: 'article', headerName: 'Article' },
    { field: 'stock', headerName: 'In stock', filter: 'agNumberColumnFilter' },
    { field: 'sold', headerName: 'Sold', cellDataType: 'boolean' },
    { field: 'colour', headerName: 'Colour', cellEditor: 'agSelectCellEditor', cellEditorParams: { values: ['red', 'blue'] } },
  ],
  onCellValueChanged: ({ column, newValue }) => record(column.getColId(), newValue),
  onSelectionChanged: ({ api }) => record('selected', api.getSelectedRows().map(({ article }) => article)),
  onSortChanged: ({ api }) => record('sorted', api.getColumnState().filter(({ sort }) => sort).map(({ colId, sort }) => `${colId} ${sort}`)),
});
grid('plain', {
  rowData: rows.slice(0, 2),
  suppressCellFocus: true,
  columnDefs: [
    { headerName: 'Goods', children: [{ field: 'article', headerName: 'Article', rowDrag: true }, { field: 'since', headerName: 'Since' }] },
    { headerName: 'Order', cellRenderer: ({ data }) => `<button>Order ${data.article}</button>` },
  ],
});

state('filter', '.ag-floating-filter-button-button');
state('page size', '.ag-paging-page-size [role=combobox]');
state('editing', () => find('.ag-row .ag-cell[col-id=article]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
state('choosing', () => find('.ag-row .ag-cell[col-id=colour]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
