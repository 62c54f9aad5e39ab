// Headless UI: reserve a table
import { Button, Checkbox, Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions, Description, Dialog, DialogPanel, DialogTitle, Disclosure, DisclosureButton, DisclosurePanel, Field, Fieldset, Input, Label, Legend, Listbox, ListboxButton, ListboxOption, ListboxOptions, Menu, MenuButton, MenuItem, MenuItems, Popover, PopoverButton, PopoverPanel, Radio, RadioGroup, Select, Switch, Tab, TabGroup, TabList, TabPanel, TabPanels, Textarea } from '@headlessui/react';
import { useState } from 'react';
import './radix.css';
import { count, find, press, record, state } from './_record.js';
import { show } from './_react.jsx';

/** A state whose changes are recorded. */
const useTold = (key, first) => {
  const [value, set] = useState(first);
  return [value, (next) => { set(next); record(key, next); }];
};

const App = () => {
  const [room, setRoom] = useTold('room', 'garden');
  const [food, setFood] = useTold('food', 'fish');
  const [child, setChild] = useTold('child', false);
  const [mails, setMails] = useTold('mails', true);
  const [city, setCity] = useTold('city', 'Lyon');
  const [query, setQuery] = useState('');
  const [time, setTime] = useTold('time', '19:00');
  const [open, setOpen] = useState(false);
  const cities = ['Lyon', 'Nice', 'Lille'].filter((word) => word.toLowerCase().includes(query.toLowerCase()));
  return (
    <>
      <h1>Reserve a table</h1>
      <div className="row">
        <Menu><MenuButton>Options</MenuButton><MenuItems anchor="bottom"><MenuItem><button onClick={() => record('menu', 'print')}>Print</button></MenuItem><MenuItem><a href="#map">Map</a></MenuItem></MenuItems></Menu>
        <Popover><PopoverButton>Opening hours</PopoverButton><PopoverPanel anchor="bottom">Noon to midnight</PopoverPanel></Popover>
        <Button onClick={() => count('reserve')}>Reserve</Button>
        <Button disabled>Pay</Button>
        <Button onClick={() => setOpen(true)}>House rules</Button>
      </div>
      <Fieldset>
        <Legend>Guest</Legend>
        <Field><Label>Name</Label> <Input name="name" onChange={(e) => record('name', e.target.value)} /></Field>
        <Field><Label>Wishes</Label> <Description>We do what we can.</Description> <Textarea name="wishes" onChange={(e) => record('wishes', e.target.value)} /></Field>
        <Field disabled><Label>Voucher</Label> <Input name="voucher" /></Field>
        <Field><Label>Guests</Label> <Select name="guests" onChange={(e) => record('guests', e.target.value)}><option value="1">One</option><option value="2">Two</option></Select></Field>
        <Field className="row"><Checkbox checked={child} onChange={setChild} className="box">{child ? '✓' : ''}</Checkbox><Label>High chair</Label></Field>
        <Field className="row"><Switch checked={mails} onChange={setMails}><span aria-hidden="true" /></Switch><Label passive>Mails</Label></Field>
        <Switch checked={mails} onChange={setMails}><span className="sr">Reminders</span></Switch>
      </Fieldset>
      <RadioGroup value={room} onChange={setRoom} aria-label="Room">{['garden', 'hall'].map((value) => <Field key={value} className="row"><Radio value={value} className="box">●</Radio><Label>{value === 'hall' ? 'Hall' : 'Garden'}</Label></Field>)}</RadioGroup>
      <Field><Label>Dish</Label><Listbox value={food} onChange={setFood}><ListboxButton>{food}</ListboxButton><ListboxOptions anchor="bottom">{['fish', 'pasta'].map((value) => <ListboxOption key={value} value={value}>{value}</ListboxOption>)}</ListboxOptions></Listbox></Field>
      <Listbox value={time} onChange={setTime}><ListboxButton aria-label="Time">{time}</ListboxButton><ListboxOptions static>{['18:00', '19:00', '20:00'].map((value) => <ListboxOption key={value} value={value} disabled={value === '20:00'}>{value}</ListboxOption>)}</ListboxOptions></Listbox>
      <Field><Label>City</Label><Combobox value={city} onChange={setCity} onClose={() => setQuery('')}><ComboboxInput onChange={(e) => setQuery(e.target.value)} /><ComboboxButton aria-label="All cities">▾</ComboboxButton><ComboboxOptions anchor="bottom">{cities.map((word) => <ComboboxOption key={word} value={word}>{word}</ComboboxOption>)}</ComboboxOptions></Combobox></Field>
      <TabGroup onChange={(at) => record('tab', at)}><TabList aria-label="Menus"><Tab>Lunch</Tab><Tab>Dinner</Tab><Tab disabled>Brunch</Tab></TabList><TabPanels><TabPanel>Soup</TabPanel><TabPanel>Fish</TabPanel><TabPanel>Eggs</TabPanel></TabPanels></TabGroup>
      <Disclosure><DisclosureButton>Allergies</DisclosureButton><DisclosurePanel>Ask us</DisclosurePanel></Disclosure>
      <Disclosure defaultOpen><DisclosureButton>Parking</DisclosureButton><DisclosurePanel>Behind the house. <a href="#parking">Plan</a></DisclosurePanel></Disclosure>
      <Dialog open={open} onClose={() => setOpen(false)}><DialogPanel className="content"><DialogTitle>House rules</DialogTitle><button onClick={() => setOpen(false)}>Fine</button></DialogPanel></Dialog>
    </>
  );
};

const style = document.createElement('style');
style.textContent = '.box { display: inline-block; width: 22px; height: 22px; border: 1px solid; } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0); display: block; } [role=switch] { width: 40px; }';
document.head.append(style);
show(<App />);

const button = (word) => [...document.querySelectorAll('button')].find((el) => el.textContent === word);
const mark = (el) => { el.dataset.pressed = ''; press('[data-pressed]'); };
state('menu', () => mark(button('Options')));
state('popover', () => button('Opening hours').click());
state('dialog', () => button('House rules').click());
state('listbox', () => mark(button('fish')));
state('combobox', () => mark(find('[aria-label="All cities"], [role=combobox] + button')));
