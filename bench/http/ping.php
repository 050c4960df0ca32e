<?php

echo 'pong';
