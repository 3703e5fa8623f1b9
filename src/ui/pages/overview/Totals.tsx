import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { Figure } from '../../parts/Figure.js';
import { counted, shownBytes, shownCount, shownRate, shownShort } from '../../parts/numbers.js';
import type { Totals as Sums } from './rows.js';

const HOST_EVERY_MS = 5_000;

/** Load of the machine that the service runs on. */
const Host = () => {
  const info = useQuery({
    queryKey: ['info'],
    queryFn: () => call('readInstanceInfo'),
    refetchInterval: HOST_EVERY_MS,
  });
  if (info.data === undefined) return null;
  const { cpu_percent, cpu_count, memory_used_bytes, memory_total_bytes, host_name } = info.data;
  const cores = cpu_count === null ? '' : `, ${counted(cpu_count, 'core')}`;
  return (
    <>
      <Figure label={`CPU${cores}`} value={`${Math.round(cpu_percent)} %`} title={`Load of ${host_name}`} />
      <Figure
        label="Memory"
        value={`${Math.round((100 * memory_used_bytes) / memory_total_bytes)} %`}
        title={`${shownBytes(memory_used_bytes)} of ${shownBytes(memory_total_bytes)} in use on ${host_name}`}
      />
    </>
  );
};

export const Totals = ({ totals }: { readonly totals: Sums }) => (
  <div className="figures">
    <Figure label="Running" value={shownCount(totals.running)} note={`of ${shownCount(totals.count)}`} />
    {totals.failed > 0 && <Figure label="Failed" value={shownCount(totals.failed)} color="red" />}
    <Figure label="Events/s" value={shownRate(totals.rate)} />
    <Figure label="Written" value={shownShort(totals.written)} />
    <Figure
      label="Dead letters"
      value={shownShort(totals.deadLettered)}
      {...(totals.deadLettered > 0 ? { color: 'orange' } : {})}
    />
    <Figure label="Lost" value={shownShort(totals.lost)} {...(totals.lost > 0 ? { color: 'red' } : {})} />
    <Host />
  </div>
);
