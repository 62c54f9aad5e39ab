// react-datepicker: book a boat
import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import { useState } from 'react';
import { find, press, record, state } from './_record.js';
import { show } from './_react.jsx';

const iso = (date) => date && `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

const App = () => {
  const [from, setFrom] = useState(new Date(2030, 4, 17));
  const [back, setBack] = useState(null);
  const [day, setDay] = useState(new Date(2030, 4, 17));
  return (
    <>
      <h1>Book a boat</h1>
      <p><label htmlFor="from">From</label> <DatePicker id="from" selected={from} onChange={(date) => { setFrom(date); record('from', iso(date)); }} /></p>
      <p><label htmlFor="back">Back</label> <DatePicker id="back" selected={back} openToDate={new Date(2030, 4, 1)} minDate={new Date(2030, 4, 10)} dateFormat="d MMMM yyyy" showMonthDropdown showYearDropdown dropdownMode="select" onChange={(date) => { setBack(date); record('back', iso(date)); }} /></p>
      <DatePicker inline selected={day} onChange={(date) => { setDay(date); record('day', iso(date)); }} />
    </>
  );
};

show(<App />);
state('calendar', () => { find('#from').focus(); press('#from'); });
