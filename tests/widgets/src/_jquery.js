// jQuery, where its plugins look for it. Import it before them.
import $ from 'jquery';

window.$ = window.jQuery = $;
export default $;
