/** Credentials for the API of a service. */
export const USER_VARIABLE = 'SPATE_API_USER';
export const PASSWORD_VARIABLE = 'SPATE_API_PASSWORD';
