const PYTHON_ENDING = '.py';

export const isPython = (file: string): boolean => file.endsWith(PYTHON_ENDING);
