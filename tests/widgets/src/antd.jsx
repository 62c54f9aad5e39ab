// Ant Design: new employee
import { AutoComplete, Breadcrumb, Button, Cascader, Checkbox, Collapse, ColorPicker, DatePicker, Dropdown, Form, Input, InputNumber, Menu, Modal, Pagination, Radio, Rate, Segmented, Select, Slider, Steps, Switch, Table, Tabs, Tag, TimePicker, Transfer, Tree, TreeSelect, Upload } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { count, find, press, record, state } from './_record.js';
import { show } from './_react.jsx';

const told = (key) => (value) => record(key, value);
const event = (key) => ({ target }) => record(key, target.type === 'checkbox' ? target.checked : target.value);
const of = (...words) => words.map((word) => ({ value: word.toLowerCase(), label: word }));
const rows = [['Ada', 36], ['Grace', 41], ['Linus', 29]].map(([name, age], key) => ({ key, name, age }));
const columns = [
  { title: 'Name', dataIndex: 'name', sorter: (a, b) => a.name.localeCompare(b.name) },
  { title: 'Age', dataIndex: 'age', filters: [{ text: 'Over 40', value: 40 }], onFilter: (value, row) => row.age > value },
  { title: 'Action', render: (_, row) => <a href={`#${row.name}`} onClick={() => record('edited', row.name)}>Edit {row.name}</a> },
];
const places = [{ value: 'fr', title: 'France', label: 'France', children: [{ value: 'lyon', title: 'Lyon', label: 'Lyon' }] }];
const menu = { items: [{ key: 'copy', label: 'Copy' }, { key: 'delete', label: 'Delete', danger: true }], onClick: ({ key }) => record('menu', key) };

const Person = () => (
  <Form layout="vertical" initialValues={{ name: 'Ada', remember: true }} onValuesChange={(changed) => Object.entries(changed).forEach(([key, value]) => record(key, value))}>
    <Form.Item label="Full name" name="name" rules={[{ required: true }]} tooltip="As in the passport"><Input allowClear /></Form.Item>
    <Form.Item label="Password" name="password"><Input.Password /></Form.Item>
    <Form.Item label="Find a colleague" name="find"><Input.Search placeholder="Name or number" /></Form.Item>
    <Form.Item label="About" name="about"><Input.TextArea rows={2} showCount maxLength={80} /></Form.Item>
    <Form.Item label="Age" name="age"><InputNumber min={16} max={99} /></Form.Item>
    <Form.Item label="Department" name="department"><Select options={of('Sales', 'Research')} placeholder="Choose one" /></Form.Item>
    <Form.Item label="Skills" name="skills"><Select mode="multiple" options={of('Rust', 'Cobol', 'Lisp')} defaultValue={['rust', 'lisp']} allowClear /></Form.Item>
    <Form.Item label="City" name="city"><AutoComplete options={of('Lyon', 'Nice')} /></Form.Item>
    <Form.Item label="Start" name="start"><DatePicker /></Form.Item>
    <Form.Item label="Holidays" name="holidays"><DatePicker.RangePicker /></Form.Item>
    <Form.Item label="Working hours" name="hours"><TimePicker /></Form.Item>
    <Form.Item label="Contract" name="contract"><Radio.Group options={of('Fixed', 'Open')} /></Form.Item>
    <Form.Item label="Remote work" name="remote" valuePropName="checked"><Switch /></Form.Item>
    <Form.Item label="Level" name="level"><Slider /></Form.Item>
    <Form.Item label="Rating" name="rating"><Rate /></Form.Item>
    <Form.Item label="Office" name="office"><Cascader options={places} /></Form.Item>
    <Form.Item label="Area" name="area"><TreeSelect treeData={places} /></Form.Item>
    <Form.Item label="Photo" name="photo"><Upload><Button>Choose a picture</Button></Upload></Form.Item>
    <Form.Item name="remember" valuePropName="checked"><Checkbox>Remember me</Checkbox></Form.Item>
    <Button type="primary" htmlType="submit" onClick={() => count('submit')}>Hire</Button>
  </Form>
);

const App = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Breadcrumb items={[{ title: 'Home', href: '#home' }, { title: 'Staff' }]} />
      <h1>New employee</h1>
      <Menu mode="horizontal" selectedKeys={['staff']} items={[{ key: 'staff', label: 'Staff' }, { key: 'pay', label: 'Payroll' }, { key: 'more', label: 'More', children: [{ key: 'a', label: 'Archive' }] }]} onClick={({ key }) => record('nav', key)} />
      <div className="row">
        <Button onClick={() => count('plain')}>Draft</Button>
        <Button type="link" href="#rules">House rules</Button>
        <Button disabled>Print</Button>
        <Button loading>Saving</Button>
        <Button shape="circle" aria-label="Search staff">🔍</Button>
        <Dropdown menu={menu} trigger={['click']}><Button>Actions</Button></Dropdown>
        <Button onClick={() => setOpen(true)}>Rules</Button>
        <Checkbox indeterminate>Select all</Checkbox>
        <Switch defaultChecked checkedChildren="on" unCheckedChildren="off" aria-label="Active" onChange={told('active')} />
        <Radio.Group defaultValue="a" optionType="button" options={of('A', 'B')} onChange={event('shift')} />
        <Segmented options={['Day', 'Week', 'Month']} onChange={told('period')} />
        <ColorPicker defaultValue="#1677ff" />
        <Tag closable>Intern</Tag>
      </div>
      <Person />
      <Tabs items={[{ key: '1', label: 'Team', children: 'The team' }, { key: '2', label: 'Desk', children: 'The desk' }, { key: '3', label: 'Badge', disabled: true }]} onChange={told('tab')} />
      <Collapse defaultActiveKey="b" items={[{ key: 'a', label: 'Insurance', children: 'Yes' }, { key: 'b', label: 'Pension', children: 'Also' }]} />
      <Table rowSelection={{ onChange: told('rows') }} columns={columns} dataSource={rows} pagination={{ pageSize: 2 }} expandable={{ expandedRowRender: ({ name }) => `More about ${name}` }} />
      <Pagination total={120} showSizeChanger showQuickJumper onChange={told('page')} />
      <Tree checkable defaultExpandAll treeData={[{ key: 'b', title: 'Board', children: [{ key: 'c', title: 'Chair' }] }]} onCheck={told('tree')} />
      <Transfer dataSource={rows.map(({ key, name }) => ({ key: String(key), title: name }))} targetKeys={['1']} render={({ title }) => title} titles={['Here', 'Away']} />
      <Steps current={1} items={[{ title: 'Apply' }, { title: 'Meet' }, { title: 'Sign' }]} onChange={told('step')} />
      <Modal title="Rules" open={open} onCancel={() => setOpen(false)} onOk={() => setOpen(false)}>Be kind.</Modal>
      <span hidden>{dayjs(0).format()}</span>
    </>
  );
};

show(<App />);

const button = (word) => () => [...document.querySelectorAll('button')].find((el) => el.textContent.replace(' ', '') === word).click();
state('modal', button('Rules'));
state('dropdown', button('Actions'));
state('select', '#department');
state('skills', '#skills');
state('date', '#start');
state('range', '#holidays');
state('time', '#hours');
state('cascader', '#office');
state('tree', '#area');
state('filter', '.ant-table-filter-trigger');
state('colours', '.ant-color-picker-trigger');
state('page size', () => press('.ant-pagination-options [role=combobox]'));
state('more', () => find('[role=menuitem][aria-haspopup]').dispatchEvent(new MouseEvent('mouseover', { bubbles: true })));
