// How a page of React components is put on the page.
import { createRoot } from 'react-dom/client';
import './_page.css';

/** @param {import('react').ReactNode} app */
export const show = (app) => createRoot(document.getElementById('page')).render(app);
