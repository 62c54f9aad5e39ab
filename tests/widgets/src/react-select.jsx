// react-select: order a meal
import Select from 'react-select';
import Creatable from 'react-select/creatable';
import { find, record, state } from './_record.js';
import { show } from './_react.jsx';

const of = (...words) => words.map((word) => ({ value: word.toLowerCase(), label: word }));
const told = (key) => (chosen) => record(key, Array.isArray(chosen) ? chosen.map(({ value }) => value) : chosen && chosen.value);
const dishes = of('Soup', 'Salad', 'Pasta', 'Pizza');

show(
  <>
    <h1>Order a meal</h1>
    <div style={{ width: 360 }}>
      <label htmlFor="dish">Dish</label>
      <Select inputId="dish" options={dishes} onChange={told('dish')} />
      <label htmlFor="side">Side dish</label>
      <Select inputId="side" options={of('Bread', 'Rice')} defaultValue={{ value: 'rice', label: 'Rice' }} isClearable onChange={told('side')} />
      <label id="extras-label" htmlFor="extras">Extras</label>
      <Select inputId="extras" aria-labelledby="extras-label" isMulti options={of('Cheese', 'Olives', 'Ham')} defaultValue={of('Cheese', 'Ham')} onChange={told('extras')} />
      <Select aria-label="Drink" options={of('Water', 'Juice')} placeholder="Choose a drink" onChange={told('drink')} />
      <Select aria-label="Table" isDisabled options={of('1', '2')} placeholder="No table left" />
      <Select aria-label="Spice" isSearchable={false} options={of('Mild', 'Hot')} onChange={told('spice')} />
      <Creatable aria-label="Wish" isClearable options={of('Early', 'Late')} placeholder="Any wish" onChange={told('wish')} />
      <Select aria-label="Dessert" menuIsOpen options={[{ label: 'Cold', options: of('Ice cream', 'Fruit') }, { label: 'Warm', options: of('Pie') }]} placeholder="Dessert" onChange={told('dessert')} />
    </div>
  </>,
);

const open = (id) => () => {
  find(id).focus();
  find(id).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', keyCode: 40, bubbles: true }));
};
state('dishes', open('#dish'));
state('extras', open('#extras'));
