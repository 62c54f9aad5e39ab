// What UI5 would ask servers for: English dates and numbers, which are here, and fonts, which it does without. Import it
// before the components.
import { registerLocaleDataLoader } from '@ui5/webcomponents-base/dist/asset-registries/LocaleData.js';
import { setDefaultFontLoading } from '@ui5/webcomponents-base/dist/config/Fonts.js';
import english from '@ui5/webcomponents-localization/dist/generated/assets/cldr/en.json';

setDefaultFontLoading(false);
registerLocaleDataLoader('en', async () => english);
