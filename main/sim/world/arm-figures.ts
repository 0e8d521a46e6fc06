/** Stiffness of the finger servos, newtons per metre: turns a force limit into a position offset. */
export const fingerStiffness_n_m = 1500;
