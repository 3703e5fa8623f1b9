import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 hand functions to its optimizing compiler after three times the work that it takes else. What runs for each
 * event gets there at once all the same; what runs for each batch of thousands does not, and the compiler, which
 * is a thread of its own, took 0.4 of the 2.7 s of processor time of a replay of 2 GB for it. To be called when all is
 * loaded: the code of Node's own modules is kept ready for the usual flags only, and loads slowly with others.
 */
export const optimizeLate = (): void => setFlagsFromString('--interrupt-budget=400000');
