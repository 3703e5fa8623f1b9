const LIGHT = ['#1971c2', '#e8590c', '#2f9e44', '#9c36b5', '#c2255c', '#0c8599', '#b08900', '#5c940d'];
const DARK = ['#4dabf7', '#ffa94d', '#69db7c', '#da77f2', '#f783ac', '#3bc9db', '#ffe066', '#a9e34b'];

/** The color of an input by its position in the config. */
export const inputColor = (index: number, isDark: boolean): string => {
  const colors = isDark ? DARK : LIGHT;
  return colors[index % colors.length] ?? '#868e96';
};
