// MUI: a photo album
import { Accordion, AccordionDetails, AccordionSummary, Autocomplete, BottomNavigation, BottomNavigationAction, Breadcrumbs, Button, ButtonGroup, Card, CardActionArea, Checkbox, Chip, Dialog, DialogActions, DialogTitle, Fab, FormControl, FormControlLabel, FormGroup, FormLabel, IconButton, InputAdornment, InputLabel, Link, List, ListItemButton, ListItemText, Menu, MenuItem, NativeSelect, OutlinedInput, Pagination, Radio, RadioGroup, Rating, Select, Slider, Stepper, Step, StepButton, Switch, Tab, Tabs, TablePagination, TextField, ToggleButton, ToggleButtonGroup, Tooltip } from '@mui/material';
import { DataGrid } from '@mui/x-data-grid';
import { LocalizationProvider, DateCalendar, DatePicker, TimeField } from '@mui/x-date-pickers';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { SimpleTreeView, TreeItem } from '@mui/x-tree-view';
import dayjs from 'dayjs';
import { useState } from 'react';
import { count, press, record, state } from './_record.js';
import { show } from './_react.jsx';

const told = (key) => (_event, value) => record(key, value);
const event = (key) => ({ target }) => record(key, target.type === 'checkbox' ? target.checked : target.value);
const Icon = () => <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h16v16H4z" /></svg>;
const day = dayjs('2030-05-17');

const Fields = () => (
  <>
    <div className="row">
      <TextField id="title" label="Title" defaultValue="Summer" helperText="Shown on the cover" onChange={event('title')} />
      <TextField label="Place" variant="standard" placeholder="Where it was" onChange={event('place')} />
      <TextField label="Story" variant="filled" multiline rows={2} onChange={event('story')} />
      <TextField label="Code" error helperText="Wrong code" type="password" onChange={event('code')} />
      <TextField label="Copies" type="number" defaultValue={2} onChange={event('copies')} />
      <FormControl><InputLabel htmlFor="cost">Cost</InputLabel><OutlinedInput id="cost" label="Cost" endAdornment={<InputAdornment position="end"><IconButton aria-label="Ask for the price"><Icon /></IconButton></InputAdornment>} onChange={event('cost')} /></FormControl>
      <FormControl sx={{ minWidth: 120 }}><InputLabel id="size-label">Size</InputLabel><Select labelId="size-label" id="size" label="Size" defaultValue="m" onChange={event('size')}><MenuItem value="s">Small</MenuItem><MenuItem value="m">Medium</MenuItem></Select></FormControl>
      <TextField select label="Paper" defaultValue="matt" sx={{ minWidth: 120 }} onChange={event('paper')}><MenuItem value="matt">Matt</MenuItem><MenuItem value="gloss">Gloss</MenuItem></TextField>
      <FormControl><InputLabel htmlFor="cover" variant="standard">Cover</InputLabel><NativeSelect defaultValue="soft" inputProps={{ id: 'cover' }} onChange={event('cover')}><option value="soft">Soft</option><option value="hard">Hard</option></NativeSelect></FormControl>
      <Autocomplete options={['Lyon', 'Nice']} sx={{ width: 160 }} defaultValue="Lyon" renderInput={(field) => <TextField {...field} label="City" />} onChange={told('city')} />
      <Autocomplete multiple options={['Ada', 'Grace', 'Linus']} sx={{ width: 240 }} defaultValue={['Ada', 'Grace']} renderInput={(field) => <TextField {...field} label="People" />} onChange={told('people')} />
    </div>
    <div className="row">
      <FormGroup row>
        <FormControlLabel control={<Checkbox defaultChecked onChange={event('public')} />} label="Public" />
        <FormControlLabel control={<Checkbox indeterminate />} label="All pictures" />
        <FormControlLabel disabled control={<Checkbox />} label="Print" />
        <FormControlLabel control={<Switch onChange={event('comments')} />} label="Comments" />
      </FormGroup>
      <Checkbox slotProps={{ input: { 'aria-label': 'Favourite' } }} onChange={event('favourite')} />
      <FormControl><FormLabel id="order">Order</FormLabel><RadioGroup row aria-labelledby="order" name="order" defaultValue="new" onChange={event('order')}><FormControlLabel value="new" control={<Radio />} label="Newest" /><FormControlLabel value="old" control={<Radio />} label="Oldest" /></RadioGroup></FormControl>
      <Slider aria-label="Brightness" defaultValue={30} sx={{ width: 160 }} onChange={told('brightness')} />
      <Slider getAriaLabel={(at) => (at ? 'To year' : 'From year')} defaultValue={[1990, 2020]} min={1950} max={2030} sx={{ width: 160 }} onChange={told('years')} />
      <Rating name="stars" defaultValue={3} onChange={told('stars')} />
    </div>
  </>
);

const rows = [{ id: 1, name: 'Beach', year: 2021 }, { id: 2, name: 'Forest', year: 2022 }];
const columns = [{ field: 'name', headerName: 'Name', width: 140, editable: true }, { field: 'year', headerName: 'Year', type: 'number', width: 100 }];

const App = () => {
  const [anchor, setAnchor] = useState(null);
  const [open, setOpen] = useState(false);
  const [tab, setTab] = useState(0);
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <Breadcrumbs aria-label="Where you are"><Link href="#home">Home</Link><Link href="#albums">Albums</Link><span>Summer</span></Breadcrumbs>
      <h1>Photo album</h1>
      <div className="row">
        <Button variant="contained" onClick={() => count('publish')}>Publish</Button>
        <Button variant="outlined" href="#preview">Preview</Button>
        <Button disabled>Delete</Button>
        <Button startIcon={<Icon />}>Upload</Button>
        <Tooltip title="Rotate"><IconButton onClick={() => count('rotate')}><Icon /></IconButton></Tooltip>
        <Fab color="primary" aria-label="Add a picture" size="small"><Icon /></Fab>
        <ButtonGroup aria-label="Zoom"><Button>In</Button><Button>Out</Button></ButtonGroup>
        <ToggleButtonGroup exclusive aria-label="Layout" value="grid" onChange={told('layout')}><ToggleButton value="grid">Grid</ToggleButton><ToggleButton value="list">List</ToggleButton></ToggleButtonGroup>
        <Button id="menu-button" aria-haspopup="true" aria-controls={anchor ? 'menu' : undefined} onClick={(e) => setAnchor(e.currentTarget)}>Share</Button>
        <Menu id="menu" anchorEl={anchor} open={!!anchor} onClose={() => setAnchor(null)}><MenuItem onClick={() => record('share', 'mail')}>By mail</MenuItem><MenuItem onClick={() => record('share', 'link')}>By link</MenuItem></Menu>
        <Chip label="Sea" onDelete={() => record('deleted', 'sea')} />
        <Chip label="Filter" onClick={() => count('filter')} />
        <Button onClick={() => setOpen(true)}>Rights</Button>
      </div>
      <Fields />
      <div className="row">
        <DatePicker label="Taken on" defaultValue={day} onChange={(value) => record('taken', value && value.format('YYYY-MM-DD'))} />
        <TimeField label="At" defaultValue={day} />
        <DateCalendar defaultValue={day} onChange={(value) => record('day', value.format('YYYY-MM-DD'))} />
      </div>
      <Tabs value={tab} onChange={(_, value) => { setTab(value); record('tab', value); }} aria-label="Views"><Tab label="Pictures" /><Tab label="People" /><Tab label="Map" disabled /></Tabs>
      <Accordion><AccordionSummary>Camera</AccordionSummary><AccordionDetails>An old one</AccordionDetails></Accordion>
      <Accordion defaultExpanded><AccordionSummary>Licence</AccordionSummary><AccordionDetails>All rights reserved. <Link component="button">Change it</Link></AccordionDetails></Accordion>
      <Card sx={{ width: 200 }}><CardActionArea onClick={() => count('card')}><h2>Beach</h2><p>Twelve pictures</p></CardActionArea></Card>
      <List><ListItemButton selected><ListItemText primary="Beach" secondary="2021" /></ListItemButton><ListItemButton><ListItemText primary="Forest" /></ListItemButton></List>
      <Stepper nonLinear activeStep={1}>{['Choose', 'Arrange', 'Print'].map((word) => <Step key={word}><StepButton>{word}</StepButton></Step>)}</Stepper>
      <Pagination count={5} page={2} onChange={told('page')} />
      <TablePagination component="div" count={100} page={1} rowsPerPage={10} onPageChange={told('table-page')} />
      <div style={{ height: 300 }}><DataGrid rows={rows} columns={columns} checkboxSelection disableVirtualization onRowSelectionModelChange={({ ids }) => record('rows', [...ids])} /></div>
      <SimpleTreeView defaultExpandedItems={['a']} checkboxSelection multiSelect onSelectedItemsChange={told('tree')}><TreeItem itemId="a" label="2021"><TreeItem itemId="b" label="May" /><TreeItem itemId="c" label="June" /></TreeItem><TreeItem itemId="d" label="2022"><TreeItem itemId="e" label="July" /></TreeItem></SimpleTreeView>
      <BottomNavigation showLabels value={0}><BottomNavigationAction label="Recent" icon={<Icon />} /><BottomNavigationAction label="Saved" icon={<Icon />} /></BottomNavigation>
      <Dialog open={open} onClose={() => setOpen(false)}><DialogTitle>Rights</DialogTitle><DialogActions><Button onClick={() => setOpen(false)}>Close</Button></DialogActions></Dialog>
    </LocalizationProvider>
  );
};

show(<App />);

const button = (word) => () => [...document.querySelectorAll('button')].find((el) => el.textContent === word).click();
state('dialog', button('Rights'));
state('menu', '#menu-button');
state('select', '#size');
state('date', 'button[aria-label^="Choose date"]');
state('column', () => press('.MuiDataGrid-menuIconButton'));
state('autocomplete', '[title=Open]');
