export { openXKeyboard, type XKeyboard } from "../../main/bench/x-keys";
