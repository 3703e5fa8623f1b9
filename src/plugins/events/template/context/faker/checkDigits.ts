/** Luhn's check digit (ISO/IEC 7812-1, annex B), for cards and IMEI. */
export const luhnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    // Every second digit from the right counts double.
    const value = i % 2 === 0 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return String((10 - (sum % 10)) % 10);
};

/** Check digit of EAN, UPC, ISBN-13: weights 3 and 1 from the right (GS1). */
export const eanDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++)
    sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
};

/** Check digit of ISBN-10: weights 10 to 2, modulo 11, X for ten. */
export const isbn10Digit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (10 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** Check digit of ISSN: weights 8 to 2, modulo 11, X for ten. */
export const issnDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (8 - i);
  const rest = (11 - (sum % 11)) % 11;
  return rest === 10 ? 'X' : String(rest);
};

/** Check digit of ABA bank numbers: weights 3, 7, 1. */
export const abaDigit = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * ([3, 7, 1][i % 3] ?? 1);
  return String((10 - (sum % 10)) % 10);
};
