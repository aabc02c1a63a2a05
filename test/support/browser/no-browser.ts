/** A program that ends at once: monitors that need a browser can be made, and none of them comes so far as to open one. */
export const NO_BROWSER = '/bin/false'
