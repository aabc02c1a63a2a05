/** The height of the plot in pixels, which is kept until it is there. */
export const PLOT_HEIGHT = 250
