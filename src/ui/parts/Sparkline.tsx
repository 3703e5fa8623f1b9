import { memo } from 'react';
import { HEIGHT, sparklinePoints, WIDTH } from './sparklinePoints.js';

interface SparklineProps {
  readonly values: readonly number[];
  /** Values that fill the width at least; more are drawn closer. */
  readonly span: number;
  readonly label: string;
  /** Whether it takes all the width that there is. */
  readonly isWide?: boolean;
}

const Line = ({ points }: { readonly points: string }) => {
  const left = points.slice(0, points.indexOf(','));
  return (
    <>
      <polygon points={`${left},${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} fill="currentColor" opacity="0.2" />
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
};

/** A line without axes. */
export const Sparkline = memo(({ values, span, label, isWide = false }: SparklineProps) => (
  <svg
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
    width={isWide ? '100%' : WIDTH}
    height={HEIGHT}
    role="img"
    aria-label={label}
    className="sparkline"
  >
    {values.length > 0 && <Line points={sparklinePoints(values, span)} />}
  </svg>
));
