import { messengerHost } from './host/messengerHost';
import { startPage } from './page';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
startPage(root, messengerHost());
