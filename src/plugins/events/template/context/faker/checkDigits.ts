/** The digit that makes a number valid by Luhn's rule (ISO/IEC 7812-1, annex B), as cards and IMEI use it. */
export const luhnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    // Every second digit counts double, from the right, as the check digit will stand behind them.
    const value = i % 2 === 0 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
};

/** The last digit of an EAN, UPC or ISBN-13: weights 3 and 1 in turn, from the right (GS1). */
export const eanDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++)
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
};

/** The last character of a 9-digit ISBN-10: weights 10 to 2, modulo 11, X for ten. */
export const isbn10Digit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (10 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** The last digit of a 7-digit ISSN: weights 8 to 2, modulo 11, X for ten. */
export const issnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (8 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** The last digit of an American bank number: weights 3, 7, 1 (ABA). */
export const abaDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * ([3, 7, 1][i % 3] ?? 1);
  return String((10 - (sum % 10)) % 10);
};
