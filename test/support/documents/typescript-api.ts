/** The compiler as a library, which TypeScript itself no longer is: for tools that write TypeScript. */
export { ts as default } from '@ts-morph/common'
