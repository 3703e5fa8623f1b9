import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { Figure } from '../../parts/Figure.js';
import { counted, shownBytes, shownCount, shownRate, shownShort } from '../../parts/numbers.js';
import type { RowKind, Totals as Sums, ViewOfRows } from './rows.js';

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

interface TotalsProps {
  readonly totals: Sums;
  readonly view: ViewOfRows;
  readonly onView: (view: ViewOfRows) => void;
}

/** The sums over all generators; those of some generators show these alone. */
export const Totals = ({ totals, view, onView }: TotalsProps) => {
  const kind = (only: RowKind) => ({
    isOn: view.only === only,
    onToggle: () => onView({ ...view, only: view.only === only ? null : only }),
  });
  const running = {
    isOn: view.phase === 'running',
    onToggle: () => onView({ ...view, phase: view.phase === 'running' ? null : 'running' }),
  };
  const isUnwellShown = (health: 'failing' | 'degraded'): boolean =>
    totals[health] > 0 || view.only === health;
  return (
    <div className="figures">
      <Figure
        label="Running"
        value={shownCount(totals.running)}
        note={`of ${shownCount(totals.count)}`}
        {...running}
      />
      {isUnwellShown('failing') && (
        <Figure label="Failing" value={shownCount(totals.failing)} color="red" {...kind('failing')} />
      )}
      {isUnwellShown('degraded') && (
        <Figure label="Degraded" value={shownCount(totals.degraded)} color="orange" {...kind('degraded')} />
      )}
      <Figure label="Events/s" value={shownRate(totals.rate)} />
      <Figure label="Written" value={shownShort(totals.written)} />
      <Figure
        label="Dead letters"
        value={shownShort(totals.deadLettered)}
        title="Since the start of each generator"
        {...kind('dead')}
      />
      <Figure
        label="Lost"
        value={shownShort(totals.lost)}
        {...(totals.lost > 0 ? { color: 'red' } : {})}
        {...kind('lost')}
      />
      <Host />
    </div>
  );
};
