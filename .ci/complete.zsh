# Types what comes in, in a zsh on a terminal of its own, a line at a time: what is typed ahead, the line editor takes for text.
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d ~/dump; setopt nobeep"
zpty -w shell '_all() { _main_complete; compstate[insert]=all compstate[list]= }; zle -C all complete-word _all; bindkey "^E" all'
zpty -w shell $2
for (( line = 1; ; line++ )); do
    IFS= read -r typed || break
    zpty -w shell $typed
    for (( i = 0; i < 200 && $(wc -l <~/got) < line; i++ )); do
        while zpty -r -t shell shown; do print -rn -- $shown; done
        sleep 0.05
    done
done
zpty -d shell
