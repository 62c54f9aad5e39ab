// Radix UI: a music player
import { Accordion, Avatar, Checkbox, Collapsible, ContextMenu, Dialog, DropdownMenu, Form, HoverCard, Label, Menubar, NavigationMenu, Popover, Progress, RadioGroup, ScrollArea, Select, Slider, Switch, Tabs, Toggle, ToggleGroup, Toolbar, Tooltip } from 'radix-ui';
import './radix.css';
import { count, find, record, state } from './_record.js';
import { show } from './_react.jsx';

const told = (key) => (value) => record(key, value);

const Menus = () => (
  <>
    <Menubar.Root>
      {[['File', 'Open', 'Save'], ['Edit', 'Undo', 'Redo']].map(([title, ...items]) => (
        <Menubar.Menu key={title}>
          <Menubar.Trigger>{title}</Menubar.Trigger>
          <Menubar.Portal><Menubar.Content>{items.map((item) => <Menubar.Item key={item} onSelect={() => record('menubar', item)}>{item}</Menubar.Item>)}</Menubar.Content></Menubar.Portal>
        </Menubar.Menu>
      ))}
    </Menubar.Root>
    <NavigationMenu.Root>
      <NavigationMenu.List>
        <NavigationMenu.Item><NavigationMenu.Trigger>Browse</NavigationMenu.Trigger><NavigationMenu.Content><a href="#jazz">Jazz</a></NavigationMenu.Content></NavigationMenu.Item>
        <NavigationMenu.Item><NavigationMenu.Link href="#charts">Charts</NavigationMenu.Link></NavigationMenu.Item>
      </NavigationMenu.List>
    </NavigationMenu.Root>
    <Toolbar.Root aria-label="Playback">
      <Toolbar.Button onClick={() => count('play')}>Play</Toolbar.Button>
      <Toolbar.Button aria-label="Next song" onClick={() => count('next')}>⏭</Toolbar.Button>
      <Toolbar.Separator />
      <Toolbar.ToggleGroup type="multiple" aria-label="Modes" onValueChange={told('modes')}><Toolbar.ToggleItem value="repeat">Repeat</Toolbar.ToggleItem><Toolbar.ToggleItem value="shuffle">Shuffle</Toolbar.ToggleItem></Toolbar.ToggleGroup>
      <Toolbar.Link href="#lyrics">Lyrics</Toolbar.Link>
    </Toolbar.Root>
    <div className="row">
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>Sort by</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content>
            <DropdownMenu.Item onSelect={() => record('sort', 'title')}>Title</DropdownMenu.Item>
            <DropdownMenu.CheckboxItem checked onCheckedChange={told('reverse')}>Reversed</DropdownMenu.CheckboxItem>
            <DropdownMenu.RadioGroup value="all"><DropdownMenu.RadioItem value="all">All</DropdownMenu.RadioItem><DropdownMenu.RadioItem value="liked">Liked</DropdownMenu.RadioItem></DropdownMenu.RadioGroup>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Dialog.Root>
        <Dialog.Trigger>Rename</Dialog.Trigger>
        <Dialog.Portal><Dialog.Overlay className="overlay" /><Dialog.Content className="content"><Dialog.Title>Rename the list</Dialog.Title><Dialog.Description>Everybody sees it.</Dialog.Description><input aria-label="New name" /><Dialog.Close>Keep it</Dialog.Close></Dialog.Content></Dialog.Portal>
      </Dialog.Root>
      <Popover.Root><Popover.Trigger aria-label="Sleep timer">⏰</Popover.Trigger><Popover.Portal><Popover.Content>Thirty minutes</Popover.Content></Popover.Portal></Popover.Root>
      <Tooltip.Provider><Tooltip.Root><Tooltip.Trigger>Like</Tooltip.Trigger><Tooltip.Portal><Tooltip.Content>Adds it to your songs</Tooltip.Content></Tooltip.Portal></Tooltip.Root></Tooltip.Provider>
      <HoverCard.Root><HoverCard.Trigger href="#band">The band</HoverCard.Trigger></HoverCard.Root>
      <Toggle.Root aria-label="Mute" onPressedChange={told('mute')}>🔇</Toggle.Root>
      <ToggleGroup.Root type="single" defaultValue="list" aria-label="View" onValueChange={told('view')}><ToggleGroup.Item value="list">List</ToggleGroup.Item><ToggleGroup.Item value="covers">Covers</ToggleGroup.Item></ToggleGroup.Root>
      <ContextMenu.Root><ContextMenu.Trigger>Right click here</ContextMenu.Trigger><ContextMenu.Portal><ContextMenu.Content><ContextMenu.Item>Remove</ContextMenu.Item></ContextMenu.Content></ContextMenu.Portal></ContextMenu.Root>
      <Avatar.Root><Avatar.Fallback>AB</Avatar.Fallback></Avatar.Root>
    </div>
  </>
);

show(
  <>
    <h1>Music player</h1>
    <Menus />
    <Form.Root>
      <Form.Field name="list"><Form.Label>List name</Form.Label><Form.Control defaultValue="Evening" onChange={(e) => record('list', e.target.value)} /></Form.Field>
      <Form.Field name="mail"><Form.Label>Share with</Form.Label><Form.Control type="email" required placeholder="name@example.com" /></Form.Field>
      <div className="row"><Checkbox.Root id="offline" onCheckedChange={told('offline')}><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Root><Label.Root htmlFor="offline">Keep offline</Label.Root></div>
      <label className="row"><Checkbox.Root defaultChecked="indeterminate"><Checkbox.Indicator>–</Checkbox.Indicator></Checkbox.Root> All albums</label>
      <div className="row"><label htmlFor="explicit">Explicit songs</label><Switch.Root id="explicit" onCheckedChange={told('explicit')}><Switch.Thumb /></Switch.Root></div>
      <Switch.Root aria-label="Crossfade" defaultChecked disabled><Switch.Thumb /></Switch.Root>
      <RadioGroup.Root defaultValue="high" aria-label="Quality" onValueChange={told('quality')}>
        {['low', 'high'].map((value) => <div className="row" key={value}><RadioGroup.Item id={`q-${value}`} value={value}><RadioGroup.Indicator>●</RadioGroup.Indicator></RadioGroup.Item><label htmlFor={`q-${value}`}>{value === 'low' ? 'Low' : 'High'}</label></div>)}
      </RadioGroup.Root>
      <Select.Root defaultValue="rock" onValueChange={told('genre')}>
        <Select.Trigger aria-label="Genre"><Select.Value placeholder="Choose" /><Select.Icon /></Select.Trigger>
        <Select.Portal><Select.Content><Select.Viewport>{['rock', 'jazz'].map((value) => <Select.Item key={value} value={value}><Select.ItemText>{value}</Select.ItemText></Select.Item>)}</Select.Viewport></Select.Content></Select.Portal>
      </Select.Root>
      <Slider.Root defaultValue={[40]} className="slider" onValueChange={told('volume')}><Slider.Track className="track"><Slider.Range className="range" /></Slider.Track><Slider.Thumb className="thumb" aria-label="Volume" /></Slider.Root>
      <Slider.Root defaultValue={[20, 70]} className="slider" onValueChange={told('part')}><Slider.Track className="track"><Slider.Range className="range" /></Slider.Track><Slider.Thumb className="thumb" aria-label="From" /><Slider.Thumb className="thumb" aria-label="To" /></Slider.Root>
      <Form.Submit onClick={() => count('submit')}>Save the list</Form.Submit>
    </Form.Root>
    <Tabs.Root defaultValue="songs" onValueChange={told('tab')}><Tabs.List aria-label="Parts"><Tabs.Trigger value="songs">Songs</Tabs.Trigger><Tabs.Trigger value="artists">Artists</Tabs.Trigger><Tabs.Trigger value="old" disabled>Old</Tabs.Trigger></Tabs.List><Tabs.Content value="songs">Ten songs</Tabs.Content><Tabs.Content value="artists">Two artists</Tabs.Content></Tabs.Root>
    <Accordion.Root type="single" collapsible defaultValue="b" onValueChange={told('accordion')}>{['a', 'b'].map((value) => <Accordion.Item key={value} value={value}><Accordion.Header><Accordion.Trigger>{value === 'a' ? 'Credits' : 'Licence'}</Accordion.Trigger></Accordion.Header><Accordion.Content>Some text</Accordion.Content></Accordion.Item>)}</Accordion.Root>
    <Collapsible.Root><Collapsible.Trigger>Show more</Collapsible.Trigger><Collapsible.Content>More</Collapsible.Content></Collapsible.Root>
    <Progress.Root value={40} aria-label="Download"><Progress.Indicator /></Progress.Root>
    <ScrollArea.Root className="scroller"><ScrollArea.Viewport className="port">{Array.from({ length: 20 }, (_, at) => <div key={at}>Song {at + 1}</div>)}</ScrollArea.Viewport><ScrollArea.Scrollbar orientation="vertical"><ScrollArea.Thumb /></ScrollArea.Scrollbar></ScrollArea.Root>
  </>,
);

const button = (word) => [...document.querySelectorAll('button')].find((el) => el.textContent === word);
const down = (el, type = 'pointerdown') => el.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, button: type === 'contextmenu' ? 2 : 0, pointerType: 'mouse', clientX: 300, clientY: 300 }));
state('dropdown', () => down(button('Sort by')));
state('menubar', () => down(button('File')));
state('dialog', () => button('Rename').click());
state('popover', '[aria-label="Sleep timer"]');
state('select', () => down(find('[aria-label=Genre]')));
state('context menu', () => down([...document.querySelectorAll('span')].find((el) => el.textContent === 'Right click here'), 'contextmenu'));
