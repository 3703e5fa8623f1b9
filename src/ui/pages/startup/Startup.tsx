import { useSearchParams } from 'wouter';
import { Entry } from './Entry.js';
import { EntryList } from './EntryList.js';
import { NewEntry } from './NewEntry.js';

/** The startup list; which entry is open stands in the address. */
const Startup = () => {
  const [params] = useSearchParams();
  const id = params.get('edit');
  if (id !== null) return <Entry key={id} id={id} />;
  return params.has('new') ? <NewEntry /> : <EntryList />;
};

export default Startup;
